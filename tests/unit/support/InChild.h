//===- InChild.h - what a forked child finds ------------------------------------------------------------===//
#ifndef TRISECT_TESTS_UNIT_SUPPORT_INCHILD_H
#define TRISECT_TESTS_UNIT_SUPPORT_INCHILD_H

#include <sys/wait.h>
#include <unistd.h>

namespace trisect {

/// Exit status of a forked child that runs `work`; -1 if it hangs.
template <typename Work> int inChild(Work work) {
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(work());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace trisect

#endif // TRISECT_TESTS_UNIT_SUPPORT_INCHILD_H
