//===- Convert.cpp - attributes and outcomes ------------------------------------------------------------===//
#include "python/bindings/Convert.h"
#include "core/support/LaunchWatch.h"
#include "python/bindings/Findings.h"
#include "python/bindings/facade/Support.h"

namespace py = pybind11;

namespace trisect::python {

static std::string_view text(py::handle value) {
  Py_ssize_t size = 0;
  const char *data = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (!data)
    throw py::error_already_set();
  return {data, size_t(size)};
}

static int64_t integer(py::handle value) {
  int64_t number = PyLong_AsLongLong(value.ptr());
  if (number == -1 && PyErr_Occurred())
    throw py::error_already_set();
  return number;
}

ir::Attribute toAttribute(const ir::Context &context, py::handle value) {
  if (py::isinstance<ir::Attribute>(value))
    return value.cast<ir::Attribute>();
  if (value.is_none())
    return context.unitAttribute();
  if (PyBool_Check(value.ptr()))
    return context.boolAttribute(value.ptr() == Py_True);
  if (PyLong_Check(value.ptr())) {
    int64_t number = integer(value);
    if (number < INT32_MIN || number > UINT32_MAX)
      throw InvalidInput("attribute value " + std::to_string(number) + " does not fit 32 bits");
    return context.intAttribute(number, 32);
  }
  if (PyFloat_Check(value.ptr()))
    return context.floatAttribute(PyFloat_AsDouble(value.ptr()), "f64");
  if (PyUnicode_Check(value.ptr()))
    return context.stringAttribute(text(value));
  if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr())) {
    std::vector<int64_t> numbers;
    for (py::handle item : py::reinterpret_borrow<py::sequence>(value))
      numbers.push_back(integer(item));
    return context.intArrayAttribute(numbers, 32);
  }
  if (py::isinstance<ir::Type>(value))
    return context.typeAttribute(value.cast<ir::Type>());
  if (PyDict_Check(value.ptr()))
    return context.dictAttribute(toAttributes(context, value));
  throw py::type_error("an attribute cannot be made from " + std::string(py::str(py::type::of(value))) +
                       "; expected bool, int, float, str, list of int, dict, None, Type or Attribute");
}

std::vector<ir::NamedAttribute> toAttributes(const ir::Context &context, py::handle dict) {
  std::vector<ir::NamedAttribute> all;
  if (dict.is_none())
    return all;
  if (!PyDict_Check(dict.ptr()))
    throw py::type_error("attributes are a dict or None");
  PyObject *key, *value;
  Py_ssize_t position = 0;
  all.reserve(size_t(PyDict_GET_SIZE(dict.ptr())));
  while (PyDict_Next(dict.ptr(), &position, &key, &value))
    all.emplace_back(text(key), toAttribute(context, value));
  return all;
}

py::object toPython(const ir::PlainValue &value) {
  return std::visit(
      [](const auto &plain) -> py::object {
        using Plain = std::decay_t<decltype(plain)>;
        if constexpr (std::is_same_v<Plain, std::monostate>) {
          return py::none();
        } else if constexpr (std::is_same_v<Plain, std::vector<int64_t>>) {
          py::list list;
          for (int64_t item : plain)
            list.append(item);
          return list;
        } else {
          return py::cast(plain);
        }
      },
      value);
}

static void raise(const char *name, const Error &error) {
  py::object type = py::module_::import("trisect.errors").attr(name);
  py::object instance = type(error.what());
  const SourcePosition &where = error.position();
  instance.attr("file") = where.known() ? py::object(py::str(where.file)) : py::none();
  instance.attr("line") = where.known() ? py::object(py::int_(where.line)) : py::none();
  instance.attr("column") = where.known() ? py::object(py::int_(where.column)) : py::none();
  PyErr_SetObject(type.ptr(), instance.ptr());
}

static void raiseFault(const KernelFault &fault) {
  const Fault &facts = fault.fault();
  py::dict details;
  for (const auto &[key, value] : facts.details)
    details[py::str(key)] = py::str(value);
  bool known = facts.position.known();
  py::object type = py::module_::import("trisect.errors").attr("KernelFault");
  py::object instance =
      type(facts.message, py::arg("kind") = facade::kindName(fault), py::arg("kernel") = facts.kernel,
           py::arg("file") = known ? py::object(py::str(facts.position.file)) : py::none(),
           py::arg("line") = known ? py::object(py::int_(facts.position.line)) : py::none(),
           py::arg("column") =
               known && facts.position.column > 0 ? py::object(py::int_(facts.position.column)) : py::none(),
           py::arg("program_id") = py::make_tuple(facts.programId[0], facts.programId[1], facts.programId[2]),
           py::arg("details") = details,
           py::arg("finding") = facts.finding ? py::object(toPython(*facts.finding)) : py::none());
  PyErr_SetObject(type.ptr(), instance.ptr());
}

static void translate(std::exception_ptr pointer) {
  if (PyErr_Occurred()) // the handler of a signal raised: that ends the launch, whatever fault came meanwhile
    return;
  try {
    if (pointer)
      std::rethrow_exception(pointer);
  } catch (const KernelFault &fault) {
    raiseFault(fault);
  } catch (const InvalidInput &error) {
    raise("InvalidInput", error);
  } catch (const OutOfResources &error) {
    py::object type = py::module_::import("trisect.runtime.errors").attr("OutOfResources");
    PyErr_SetObject(type.ptr(), type(error.required, error.limit, error.name).ptr());
  } catch (const AssemblerError &error) {
    py::object type = py::module_::import("trisect.runtime.errors").attr("PTXASError");
    PyErr_SetObject(type.ptr(), type(error.what()).ptr());
  } catch (const Unsupported &error) {
    raise("Unsupported", error);
  } catch (const EngineError &error) {
    raise("EngineError", error);
  } catch (const Interrupted &) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  }
}

void registerOutcomes() { py::register_exception_translator(translate); }

void setPythonError() {
  try {
    translate(std::current_exception());
  } catch (py::error_already_set &error) {
    error.restore();
  } catch (const py::builtin_exception &error) {
    error.set_error();
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

static bool wantsFramesHidden(PyObject *error) try {
  static PyObject *const speaksOfKernel =
      py::module_::import("trisect.errors").attr("KERNEL_ERRORS").cast<py::object>().release().ptr();
  return PyErr_GivenExceptionMatches(error, speaksOfKernel) &&
         !py::module_::import("trisect.knobs").attr("compilation").attr("front_end_debugging").cast<bool>();
} catch (const std::exception &) {
  return false; // the error itself matters more than how it is shown
}

void hideOwnFrames() {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (wantsFramesHidden(value)) {
    PyException_SetTraceback(value, Py_None);
    Py_CLEAR(traceback);
  }
  PyErr_Restore(type, value, traceback);
}

} // namespace trisect::python
