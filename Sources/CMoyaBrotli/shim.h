#ifndef MOYA_CBROTLI_SHIM_H
#define MOYA_CBROTLI_SHIM_H

#include <brotli/decode.h>

#endif
