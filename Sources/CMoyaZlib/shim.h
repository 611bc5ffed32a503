#ifndef MOYA_CZLIB_SHIM_H
#define MOYA_CZLIB_SHIM_H

#include <zlib.h>

#endif
