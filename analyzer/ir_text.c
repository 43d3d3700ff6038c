// The IR as text: paths and values for messages, whole functions for tests and --dump-ir.
#include "ir.h"

#include "model.h"

static const char *base_text(const struct ir_path *path, char buffer[32])
{
    switch (path->base) {
    case IR_BASE_LOCAL:
    case IR_BASE_PARAM:
    case IR_BASE_GLOBAL:
    case IR_BASE_STATIC_LOCAL:
    case IR_BASE_THREAD_LOCAL:
        return path->variable && path->variable->name ? path->variable->name : "?";
    case IR_BASE_CALL:
        g_snprintf(buffer, 32, "result#%u", path->index);
        return buffer;
    case IR_BASE_STRING:
        return "\"\"";
    case IR_BASE_CONST_ADDRESS:
        g_snprintf(buffer, 32, "0x%x", path->index);
        return buffer;
    case IR_BASE_UNKNOWN:
        return "?";
    }
    return "?";
}

// A dereference is written by what follows it: p->field, p[], or *p at the end.
static void append_deref(GString *text, const struct ir_path *path, unsigned i)
{
    const struct ir_step *next = i + 1 < path->n_steps ? &path->steps[i + 1] : NULL;
    if (next && next->kind == IR_STEP_FIELD) {
        g_string_append(text, "->");
    } else if (!next) {
        g_string_prepend_c(text, '*');
    } else if (next->kind == IR_STEP_DEREF) {
        g_string_prepend(text, "(*");
        g_string_append_c(text, ')');
    }
}

char *ir_path_text(const struct ir_path *path)
{
    char buffer[32];
    GString *text = g_string_new(base_text(path, buffer));
    for (unsigned i = 0; i < path->n_steps; i++) {
        const struct ir_step *step = &path->steps[i];
        switch (step->kind) {
        case IR_STEP_DEREF:
            append_deref(text, path, i);
            break;
        case IR_STEP_FIELD:
            if (i == 0 || path->steps[i - 1].kind != IR_STEP_DEREF)
                g_string_append_c(text, '.');
            g_string_append(text, step->field ? step->field : "?");
            break;
        case IR_STEP_INDEX:
            if (step->constant_index)
                g_string_append_printf(text, "[%" G_GINT64_FORMAT "]", step->index);
            else
                g_string_append(text, "[]");
            break;
        }
    }
    if (path->truncated)
        g_string_append(text, "…");
    return g_string_free(text, FALSE);
}

char *ir_value_text(const struct ir_value *value)
{
    switch (value->kind) {
    case IR_VALUE_CONST:
        return g_strdup_printf("%" G_GINT64_FORMAT, value->constant);
    case IR_VALUE_ADDRESS: {
        // &*x is x.
        struct ir_path path = value->path;
        if (path.n_steps && path.steps[path.n_steps - 1].kind == IR_STEP_DEREF) {
            path.n_steps--;
            return ir_path_text(&path);
        }
        g_autofree char *text = ir_path_text(&path);
        return g_strconcat("&", text, NULL);
    }
    case IR_VALUE_LOAD:
        return ir_path_text(&value->path);
    case IR_VALUE_BITS: {
        g_autofree char *text = ir_path_text(&value->path);
        return g_strdup_printf("%s & %" G_GINT64_FORMAT, text, value->constant);
    }
    case IR_VALUE_CALL:
        return g_strdup_printf("result#%u", value->index);
    case IR_VALUE_FUNCTION:
        return g_strdup(value->text ? value->text : value->function ? value->function : "?");
    case IR_VALUE_UNKNOWN:
        break;
    }
    return value->text ? g_strdup_printf("`%s`", value->text) : g_strdup("?");
}

static void append_value(GString *out, const struct ir_value *value)
{
    g_autofree char *text = ir_value_text(value);
    g_string_append(out, text);
}

static void append_path(GString *out, const struct ir_path *path)
{
    g_autofree char *text = ir_path_text(path);
    g_string_append(out, text);
}

static void append_arguments(GString *out, const struct ir_instruction *in)
{
    g_string_append_c(out, '(');
    for (unsigned i = 0; i < in->n_arguments; i++) {
        if (i)
            g_string_append(out, ", ");
        append_value(out, &in->arguments[i]);
    }
    g_string_append_c(out, ')');
}

static const char *const ATOMIC_NAMES[] = {
    [IR_ATOMIC_TEST_AND_SET] = "test-and-set",
    [IR_ATOMIC_EXCHANGE] = "exchange",
    [IR_ATOMIC_CAS] = "cas",
    [IR_ATOMIC_FETCH] = "fetch",
    [IR_ATOMIC_LOAD] = "load",
    [IR_ATOMIC_STORE] = "store",
    [IR_ATOMIC_CLEAR] = "clear",
};

static void append_call(GString *out, const struct ir_instruction *in)
{
    g_string_append_printf(out, "%s%s%s", in->op == IR_DEBUG ? "debug " : "call ",
                           in->indirect ? "*" : "", in->callee ? in->callee : "?");
    append_arguments(out, in);
    if (in->no_return)
        g_string_append(out, " no-return");
}

static void append_atomic(GString *out, const struct ir_instruction *in)
{
    g_string_append_printf(out, "atomic %s ", ATOMIC_NAMES[in->atomic]);
    append_path(out, &in->path);
    if (in->atomic == IR_ATOMIC_CAS) {
        g_string_append_c(out, ' ');
        append_value(out, &in->expected);
    }
    if (in->atomic != IR_ATOMIC_LOAD && in->atomic != IR_ATOMIC_CLEAR &&
        in->atomic != IR_ATOMIC_TEST_AND_SET) {
        g_string_append(out, " <- ");
        append_value(out, &in->value);
    }
}

static void append_instruction(GString *out, const struct ir_instruction *in)
{
    static const char *const actions[] = {"acquire", "try", "release", "change"};
    g_string_append_printf(out, "  %u: #%u ", in->location.line, in->number);
    switch (in->op) {
    case IR_ACCESS:
        g_string_append(out, in->is_volatile ? "volatile " : "");
        g_string_append(out, in->write ? "write " : "read ");
        append_path(out, &in->path);
        g_string_append_printf(out, " %" G_GUINT64_FORMAT, in->bytes);
        break;
    case IR_ASSIGN:
        append_path(out, &in->path);
        g_string_append(out, " := ");
        append_value(out, &in->value);
        break;
    case IR_CALL:
    case IR_DEBUG:
        append_call(out, in);
        break;
    case IR_LOCK_OP:
        g_string_append_printf(out, "%s %s ", actions[in->action],
                               in->lock_op ? in->lock_op->name : in->callee);
        append_value(out, &in->lock);
        break;
    case IR_ATOMIC:
        append_atomic(out, in);
        break;
    }
    g_string_append_c(out, '\n');
}

static void append_condition(GString *out, const struct ir_condition *condition)
{
    static const char *const relations[] = {"", "==", "!=", "<", "<=", ">", ">="};
    append_value(out, &condition->left);
    if (condition->relation != IR_NONZERO) {
        g_string_append_printf(out, " %s ", relations[condition->relation]);
        append_value(out, &condition->right);
    }
}

static void append_switch(GString *out, const struct ir_block *block)
{
    g_string_append(out, "switch ");
    append_value(out, &block->value);
    for (unsigned i = 0; i < block->n_targets; i++) {
        if (i + 1 == block->n_targets)
            g_string_append_printf(out, " default: b%u", block->targets[i]);
        else if (block->cases[i].low == block->cases[i].high)
            g_string_append_printf(out, " %" G_GINT64_FORMAT ": b%u", block->cases[i].low,
                                   block->targets[i]);
        else
            g_string_append_printf(out, " %" G_GINT64_FORMAT "..%" G_GINT64_FORMAT ": b%u",
                                   block->cases[i].low, block->cases[i].high, block->targets[i]);
    }
}

static void append_terminator(GString *out, const struct ir_block *block)
{
    g_string_append_printf(out, "  %u: ", block->location.line);
    switch (block->kind) {
    case IR_JUMP:
        g_string_append_printf(out, "jump b%u", block->targets[0]);
        break;
    case IR_BRANCH:
        g_string_append(out, "branch ");
        append_condition(out, &block->condition);
        g_string_append_printf(out, " ? b%u : b%u", block->targets[0], block->targets[1]);
        break;
    case IR_SWITCH:
        append_switch(out, block);
        break;
    case IR_COMPUTED:
        g_string_append(out, "computed");
        for (unsigned i = 0; i < block->n_targets; i++)
            g_string_append_printf(out, " b%u", block->targets[i]);
        break;
    case IR_RETURN:
        g_string_append(out, "return");
        if (block->has_value) {
            g_string_append_c(out, ' ');
            append_value(out, &block->value);
        }
        break;
    case IR_UNREACHABLE:
        g_string_append(out, "unreachable");
        break;
    }
    g_string_append_c(out, '\n');
}

char *ir_function_text(const struct ir_function *function)
{
    GString *out = g_string_new("function ");
    g_string_append_printf(out, "%s(", function->name);
    for (unsigned i = 0; i < function->n_params; i++)
        g_string_append_printf(out, "%s%s", i ? ", " : "",
                               function->params[i]->name ? function->params[i]->name : "");
    g_string_append_c(out, ')');
    g_string_append(out, function->is_static ? " static" : "");
    g_string_append(out, function->is_inline ? " inline" : "");
    g_string_append(out, function->from_header ? " header" : "");
    g_string_append(out, function->no_return ? " no-return" : "");
    if (function->degraded)
        g_string_append_printf(out, " degraded: %s", function->degraded_why);
    g_string_append_c(out, '\n');
    for (unsigned i = 0; i < function->n_blocks; i++) {
        const struct ir_block *block = function->blocks[i];
        g_string_append_printf(out, "b%u:%s", block->number, block->loop_head ? " loop" : "");
        if (block->loop_constant_bound)
            g_string_append_printf(out, " %" G_GUINT64_FORMAT " times", block->loop_bound);
        g_string_append_c(out, '\n');
        for (unsigned k = 0; k < block->n_instructions; k++)
            append_instruction(out, block->instructions[k]);
        append_terminator(out, block);
    }
    return g_string_free(out, FALSE);
}
