// See residency_memory.h. What is known was measured: docs/rules/fault-under-lock.md.
#include "residency_memory.h"

#include "residency.h"

// mmap's arguments and flags, as Linux has them on every architecture that spinfault runs on.
#define MMAP_LENGTH    1u
#define MMAP_FLAGS     3u
#define MMAP_SHARING   0x3
#define MMAP_PRIVATE   0x2
#define MMAP_ANONYMOUS 0x20
#define MMAP_LOCKED    0x2000
#define MMAP_POPULATE  0x8000
#define MMAP_HUGETLB   0x40000
#define MMAP_HUGE_SIZE 26 // shift of the size's logarithm
#define HUGE_DEFAULT   ((int64_t)2 << 20)
#define MLOCK_CURRENT  1
#define MLOCK_FUTURE   2

// The call that returned the pointer, in this function or in one that it calls.
static const struct ir_instruction *origin_call(const struct symbol *pointer)
{
    while (pointer->kind == SYMBOL_INSTANCE)
        pointer = pointer->a;
    return pointer->kind == SYMBOL_RESULT ? pointer->what : NULL;
}

static const struct model_function *origin(const struct analysis *analysis,
                                           const struct symbol *pointer,
                                           const struct ir_instruction **call)
{
    *call = origin_call(pointer);
    if (!analysis->models || !*call || !(*call)->callee)
        return NULL;
    return model_find_function(analysis->models, (*call)->callee);
}

static bool constant_argument(const struct ir_instruction *call, unsigned argument, int64_t *value)
{
    if (call->n_arguments <= argument || call->arguments[argument].kind != IR_VALUE_CONST)
        return false;
    *value = call->arguments[argument].constant;
    return true;
}

// The flags of the mmap that made what `root` is, where they are known.
static bool mapping_flags(const struct analysis *analysis, const struct symbol *root,
                          const struct ir_instruction **call, int64_t *flags)
{
    if (root->kind != SYMBOL_DEREF)
        return false;
    const struct model_function *model = origin(analysis, root->a, call);
    return model && model->returns == MEMORY_MAPPING && constant_argument(*call, MMAP_FLAGS, flags);
}

// `(*__ctype_b_loc())[c]`: what a function without arguments leads to is as fixed as what it
// returns.
static bool is_fixed_table(const struct analysis *analysis, const struct symbol *pointer)
{
    if (pointer->kind != SYMBOL_LOAD)
        return false;
    const struct symbol *root = symbol_root(pointer->a);
    const struct ir_instruction *call = NULL;
    const struct model_function *model =
        root->kind == SYMBOL_DEREF ? origin(analysis, root->a, &call) : NULL;
    return model && model->returns == MEMORY_RESIDENT && call->n_arguments == 0;
}

enum model_memory residency_memory(const struct analysis *analysis, const struct symbol *pointer,
                                   bool write)
{
    if (is_fixed_table(analysis, pointer))
        return MEMORY_RESIDENT;
    const struct ir_instruction *call;
    const struct model_function *model = origin(analysis, pointer, &call);
    if (!model)
        return MEMORY_NONE;
    int64_t flags;
    if (model->returns != MEMORY_MAPPING || !constant_argument(call, MMAP_FLAGS, &flags))
        return model->returns;
    bool populated = flags & (MMAP_LOCKED | MMAP_POPULATE);
    return populated && ((flags & MMAP_ANONYMOUS) || !write) ? MEMORY_RESIDENT : MEMORY_MAPPING;
}

// Shared memory that no file on disk is behind is writable from its first touch on, and nothing
// else is. What is not known to be private is taken to be shared.
bool residency_write_faults(const struct analysis *analysis, const struct symbol *root)
{
    if (root->kind == SYMBOL_VARIABLE)
        return true;
    if (root->kind != SYMBOL_DEREF)
        return false;
    const struct ir_instruction *call;
    int64_t flags;
    if (mapping_flags(analysis, root, &call, &flags))
        return (flags & MMAP_SHARING) == MMAP_PRIVATE || !(flags & MMAP_ANONYMOUS);
    const struct model_function *model = origin(analysis, root->a, &call);
    return model && (model->returns == MEMORY_FRESH_HEAP || model->returns == MEMORY_MAPPING);
}

bool residency_is_file(const struct analysis *analysis, const struct symbol *root)
{
    const struct ir_instruction *call;
    int64_t flags;
    return mapping_flags(analysis, root, &call, &flags) && !(flags & MMAP_ANONYMOUS) &&
           (flags & MMAP_SHARING) != MMAP_PRIVATE;
}

bool residency_is_one_page(const struct analysis *analysis, const struct symbol *root)
{
    const struct ir_instruction *call;
    int64_t flags, bytes;
    if (!mapping_flags(analysis, root, &call, &flags) || !(flags & MMAP_HUGETLB) ||
        !constant_argument(call, MMAP_LENGTH, &bytes))
        return false;
    unsigned size = (unsigned)(flags >> MMAP_HUGE_SIZE) & 63;
    return bytes <= (size ? INT64_C(1) << size : HUGE_DEFAULT);
}

bool residency_is_deep_stack(const struct symbol *place)
{
    const struct symbol *root = symbol_root(place);
    if (root->kind != SYMBOL_VARIABLE)
        return false;
    const struct ir_variable *variable = root->what;
    return variable->kind == IR_BASE_LOCAL && variable->type.size > RESIDENCY_PAGE;
}

static const struct symbol *everything(const struct analysis *analysis)
{
    return symbol_make(analysis->table, SYMBOL_TEXT, NULL, NULL, 0,
                       g_intern_static_string("everything"));
}

void residency_lock_all(const struct analysis *analysis, struct flow_state *state,
                        const struct symbol *flags)
{
    if (flags->kind == SYMBOL_CONST && (flags->number & (MLOCK_CURRENT | MLOCK_FUTURE)))
        flow_touch_all(state, everything(analysis),
                       (unsigned)flags->number & (MLOCK_CURRENT | MLOCK_FUTURE));
}

bool residency_is_locked(const struct analysis *analysis, const struct flow_state *state,
                         const struct symbol *root, bool write)
{
    const struct flow_entry *locked =
        flow_map_find(&state->touched, everything(analysis), TOUCH_ALL);
    if (!locked || (write && residency_is_file(analysis, root)))
        return false;
    const struct ir_instruction *call;
    bool is_new = root->kind == SYMBOL_DEREF && origin(analysis, root->a, &call);
    return locked->flags & (is_new ? MLOCK_FUTURE : MLOCK_CURRENT);
}
