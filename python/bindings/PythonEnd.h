//===- PythonEnd.h - whether the interpreter is still there ---------------------------------------------===//
//
// What: while a PythonThere lives the interpreter is not taken apart; where that has happened the thread
// stops for the moments that the process still has. Why: Python's lock may be asked for after the end, but
// what a thread asks before that, its state or a new one, is looked up in what the end destroys. Limits: the
// end waits for those that live: nothing that waits for anybody may be done in one.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_PYTHONEND_H
#define TRISECT_PYTHON_BINDINGS_PYTHONEND_H

namespace trisect::python {

class PythonThere {
public:
  PythonThere() noexcept;
  ~PythonThere();
  PythonThere(const PythonThere &) = delete;
  PythonThere &operator=(const PythonThere &) = delete;
};

/// Makes the end of this interpreter known. Throws what Python raises.
void watchPythonEnd();

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_PYTHONEND_H
