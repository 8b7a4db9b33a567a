/* What functions of the run-time system return that can fail; 0 is success. */

#ifndef APLC_CODES_H
#define APLC_CODES_H

enum {
    APLC_OUT_OF_MEMORY = 1,
};

#endif
