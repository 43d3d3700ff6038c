// The state of a buffer header is locked and handed from the acquire to the release.
#include "lock.h"
typedef unsigned uint32;
typedef struct BufferDesc { int tag[5]; int buf_id; uint32 state; int wait; int freeNext; } BufferDesc;
uint32 LockBufHdr(BufferDesc *desc);
void UnlockBufHdr(BufferDesc *desc, uint32 state);
extern BufferDesc *descriptors;
int pin(int i)
{
    BufferDesc *buf = &descriptors[i];
    uint32 state = LockBufHdr(buf);
    __spinfault_debug_held();
    buf->wait = 0;
    if (state & 1) {
        UnlockBufHdr(buf, state);
        return -1;
    }
    state |= 1;
    UnlockBufHdr(buf, state);
    __spinfault_debug_held();
    return i;
}

// expect: section 11 15,19 lock=descriptors[] scope=instance
// expect: debug 12 held=descriptors[]
// expect: debug 20 held=
// expect: none
