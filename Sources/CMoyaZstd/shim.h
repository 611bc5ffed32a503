#ifndef MOYA_CZSTD_SHIM_H
#define MOYA_CZSTD_SHIM_H

#include <zstd.h>
#include <zstd_errors.h>

#endif
