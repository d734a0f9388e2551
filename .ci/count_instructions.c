/* A plugin of QEMU: prints how many instructions an emulated process executed, as valgrind does.

   Distributions package the emulators without qemu-plugin.h, so what is used of it is declared here:
   version 1 of the interface, QEMU 4.2 to 8.2. */

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define EXPORTED __attribute__((visibility("default")))

typedef uint64_t plugin;
struct qemu_plugin_tb; /* a block of translated instructions: one way in, one way out */

void qemu_plugin_register_vcpu_tb_trans_cb(plugin, void (*)(plugin, struct qemu_plugin_tb *));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
void qemu_plugin_register_vcpu_tb_exec_cb(
    struct qemu_plugin_tb *, void (*)(unsigned, void *), int registers, void *);
void qemu_plugin_register_atexit_cb(plugin, void (*)(plugin, void *), void *);

EXPORTED int qemu_plugin_version = 1;

static uint64_t collected;

static void executed(unsigned cpu, void *instructions) {
    (void)cpu;
    collected += (uintptr_t)instructions;
}

static void translated(plugin id, struct qemu_plugin_tb *block) {
    (void)id;
    void *instructions = (void *)(uintptr_t)qemu_plugin_tb_n_insns(block);
    qemu_plugin_register_vcpu_tb_exec_cb(block, executed, 0, instructions);
}

static void ended(plugin id, void *unused) {
    (void)id;
    (void)unused;
    fprintf(stderr, "Collected : %" PRIu64 "\n", collected);
}

EXPORTED int qemu_plugin_install(plugin id, const void *info, int argc, char **argv) {
    (void)info;
    (void)argc;
    (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
