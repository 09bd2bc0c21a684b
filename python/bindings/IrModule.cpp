//===- IrModule.cpp - trisect._C.ir: TTIR from Python ---------------------------------------------------===//
#include "python/bindings/IrModule.h"
#include "python/bindings/Convert.h"
#include "python/bindings/Gil.h"
#include <pybind11/stl.h>

namespace py = pybind11;

namespace trisect::python {

using namespace ir;

namespace {

template <typename Handle> void defineIdentity(py::class_<Handle> &type) {
  type.def("__eq__", [](const Handle &self, py::handle other) {
    return py::isinstance<Handle>(other) && self == other.cast<const Handle &>();
  });
  type.def("__hash__", [](const Handle &self) { return std::hash<const void *>()(self.impl); });
}

template <typename Handle> void defineId(py::class_<Handle> &type) {
  defineIdentity(type);
  type.def("id", [](const Handle &self) { return self.id(); });
}

std::vector<Value> results(const Operation &op) {
  std::vector<Value> all;
  for (unsigned index = 0, count = op.resultCount(); index < count; ++index)
    all.push_back(op.result(index));
  return all;
}

Value onlyResult(const Operation &op) {
  if (op.resultCount() != 1)
    throw InvalidInput("'" + op.name() + "' has " + std::to_string(op.resultCount()) + " results, not one");
  return op.result(0);
}

std::vector<Type> typesOf(const py::object &sequence) {
  if (sequence.is_none())
    return {};
  return sequence.cast<std::vector<Type>>();
}

/// The plain value of an attribute of op if it has the C++ type Plain, else None.
template <typename Plain> py::object attributeOf(const Operation &op, const std::string &name) {
  std::optional<Attribute> attribute = op.attribute(name);
  if (!attribute)
    return py::none();
  PlainValue value = attribute->value();
  if (!std::holds_alternative<Plain>(value))
    return py::none();
  return toPython(value);
}

void bindTypes(py::module_ &module) {
  py::class_<Type> type(module, "Type", "A type; unique in its context.");
  defineIdentity(type);
  type.def("__str__", &Type::str)
      .def("__repr__", [](const Type &self) { return "ir.Type('" + self.str() + "')"; })
      .def_property_readonly("is_tensor", &Type::isTensor)
      .def_property_readonly("is_pointer", &Type::isPointer)
      .def_property_readonly("is_tensordesc", &Type::isTensorDesc)
      .def_property_readonly("is_integer", &Type::isInteger)
      .def_property_readonly("is_float", &Type::isFloat)
      .def_property_readonly("shape", &Type::shape)
      .def_property_readonly("element", &Type::element)
      .def_property_readonly("bit_width", &Type::bitWidth);

  py::class_<Attribute> attribute(module, "Attribute", "An attribute; unique in its context.");
  defineIdentity(attribute);
  attribute.def("__str__", &Attribute::str)
      .def("__repr__", [](const Attribute &self) { return "ir.Attribute('" + self.str() + "')"; })
      .def_property_readonly("value", [](const Attribute &self) { return toPython(self.value()); });

  py::class_<Location> location(module, "Location",
                                "A source position, with names and call sites around it.");
  defineIdentity(location);
  location.def("__str__", &Location::str)
      .def_property_readonly("file", [](const Location &self) { return self.position().file; })
      .def_property_readonly("line", [](const Location &self) { return self.position().line; })
      .def_property_readonly("column", [](const Location &self) { return self.position().column; });
}

void bindContext(py::module_ &module) {
  py::class_<Context>(module, "Context", "Owns types and attributes; serves one thread at a time.")
      .def(py::init(&Context::create))
      .def("type", &Context::parseType, py::arg("text"))
      .def("int_type", &Context::intType, py::arg("bits"))
      .def("float_type", &Context::floatType, py::arg("name"))
      .def("index_type", &Context::indexType)
      .def("ptr_type", &Context::pointerType, py::arg("element"), py::arg("address_space") = 1)
      .def(
          "tensor_type",
          [](const Context &self, const std::vector<int64_t> &shape, const Type &element) {
            return self.tensorType(shape, element);
          },
          py::arg("shape"), py::arg("element"))
      .def(
          "tensordesc_type",
          [](const Context &self, const std::vector<int64_t> &shape, const Type &element,
             const std::optional<std::string> &signedness) {
            return self.tensorDescType(shape, element, signedness.value_or(""));
          },
          py::arg("shape"), py::arg("element"), py::arg("signedness") = py::none())
      .def("attr", &Context::parseAttribute, py::arg("text"))
      .def("make_attr", [](const Context &self, py::handle value) { return toAttribute(self, value); })
      .def("unit_attr", &Context::unitAttribute)
      .def("bool_attr", &Context::boolAttribute)
      .def("i1_attr", &Context::boolAttribute)
      .def("i8_attr", [](const Context &self, int64_t value) { return self.intAttribute(value, 8); })
      .def("i16_attr", [](const Context &self, int64_t value) { return self.intAttribute(value, 16); })
      .def("i32_attr", [](const Context &self, int64_t value) { return self.intAttribute(value, 32); })
      .def("i64_attr", [](const Context &self, int64_t value) { return self.intAttribute(value, 64); })
      .def("float_attr", &Context::floatAttribute, py::arg("value"), py::arg("type") = "f64")
      .def("string_attr", &Context::stringAttribute)
      .def("symbol_attr", &Context::symbolAttribute)
      .def("type_attr", &Context::typeAttribute)
      .def("i32_array_attr",
           [](const Context &self, const std::vector<int64_t> &values) {
             return self.intArrayAttribute(values, 32);
           })
      .def("i64_array_attr",
           [](const Context &self, const std::vector<int64_t> &values) {
             return self.intArrayAttribute(values, 64);
           })
      .def("file_loc", &Context::fileLocation, py::arg("file"), py::arg("line"), py::arg("column") = 0)
      .def("name_loc", &Context::nameLocation, py::arg("name"), py::arg("child"))
      .def("call_site_loc", &Context::callSiteLocation, py::arg("callee"), py::arg("caller"))
      .def("unknown_loc", &Context::unknownLocation)
      .def("is_registered", &Context::isRegistered, py::arg("operation"));
}

void bindValues(py::module_ &module, py::class_<Value> &value, py::class_<Block> &block,
                py::class_<Region> &region) {
  defineId(value);
  value.def("__str__", &Value::str)
      .def_property("type", &Value::type, &Value::setType)
      .def_property_readonly("loc", &Value::location)
      .def_property_readonly("has_uses", &Value::hasUses)
      .def_property_readonly("op", &Value::definingOp)
      .def("replace_all_uses_with", &Value::replaceAllUsesWith, py::arg("other"))
      .def("set_name", &Value::setName, py::arg("name"))
      .def("set_attr", [](const Value &self, std::string_view name, py::handle attribute) {
        self.setAttribute(name, toAttribute(contextOf(self), attribute));
      });

  defineId(block);
  block.def_property_readonly("args", &Block::arguments)
      .def("arg", &Block::argument)
      .def_property_readonly("num_args", &Block::argumentCount)
      .def("add_arg", &Block::addArgument, py::arg("type"), py::arg("loc") = py::none())
      .def_property_readonly("operations", &Block::operations)
      .def_property_readonly("terminator", &Block::terminator)
      .def_property_readonly("parent", &Block::parent)
      .def_property_readonly("parent_op", &Block::parentOp)
      .def("erase", &Block::erase)
      .def("splice_into", &Block::spliceInto, py::arg("block"))
      .def("get_num_arguments", &Block::argumentCount)
      .def("get_argument", &Block::argument)
      .def("get_parent", &Block::parent);

  defineId(region);
  region
      .def(
          "add_block",
          [](const Region &self, const py::object &types) { return self.addBlock(typesOf(types)); },
          py::arg("types") = py::none())
      .def("append", &Region::append, py::arg("block"))
      .def("take_body", &Region::takeBody, py::arg("region"))
      .def_property_readonly("blocks", &Region::blocks)
      .def_property_readonly("parent_op", &Region::parentOp);
}

void bindOperations(py::class_<Operation> &operation) {
  defineId(operation);
  operation.def("__str__", &Operation::str)
      .def_property_readonly("name", &Operation::name)
      .def_property_readonly("operands",
                             [](const Operation &self) {
                               std::vector<Value> all;
                               for (unsigned index = 0, count = self.operandCount(); index < count; ++index)
                                 all.push_back(self.operand(index));
                               return all;
                             })
      .def("operand", &Operation::operand)
      .def("set_operand", &Operation::setOperand, py::arg("index"), py::arg("value"))
      .def_property_readonly("results", results)
      .def_property_readonly("result", onlyResult)
      .def("region", &Operation::region)
      .def_property_readonly("num_regions", &Operation::regionCount)
      .def_property_readonly("block", &Operation::block)
      .def_property_readonly("parent_op", &Operation::parentOp)
      .def("attr", &Operation::attribute, py::arg("name"))
      .def_property_readonly("attrs",
                             [](const Operation &self) {
                               py::dict all;
                               for (auto &[name, attribute] : self.attributes())
                                 all[py::str(name)] = attribute;
                               return all;
                             })
      .def(
          "set_attr",
          [](const Operation &self, std::string_view name, py::handle value) {
            self.setAttribute(name, toAttribute(contextOf(self), value));
          },
          py::arg("name"), py::arg("value"))
      .def("remove_attr", &Operation::removeAttribute, py::arg("name"))
      .def_property_readonly("loc", &Operation::location)
      .def("erase", &Operation::erase)
      .def("move_before", &Operation::moveBefore, py::arg("other"))
      .def("move_to_end", &Operation::moveToEnd, py::arg("block"))
      .def("verify", [](const Operation &self) {
        self.verify();
        return true;
      });
  // The names that analyses of user kernels look for.
  operation.def("get_name", &Operation::name)
      .def("get_num_operands", &Operation::operandCount)
      .def("get_operand", &Operation::operand)
      .def("get_num_results", &Operation::resultCount)
      .def("get_result", &Operation::result)
      .def("get_num_regions", &Operation::regionCount)
      .def("get_region", &Operation::region)
      .def("get_block", &Operation::block)
      .def("get_str_attr", attributeOf<std::string>)
      .def("get_flat_symbol_ref_attr", attributeOf<std::string>)
      .def("get_bool_attr", attributeOf<bool>)
      .def("get_int_attr", attributeOf<int64_t>);
}

void bindModule(py::module_ &module, py::class_<Operation> &operation) {
  py::class_<Function, Operation>(module, "Function", "A tt.func.")
      .def_property_readonly("name", &Function::symbol)
      .def_property_readonly("args", [](const Function &self) { return self.entry().arguments(); })
      .def_property_readonly("entry", &Function::entry)
      .def_property_readonly("arg_types", &Function::argumentTypes)
      .def_property("result_types", &Function::resultTypes,
                    [](const Function &self, const std::vector<Type> &types) { self.setResultTypes(types); })
      .def(
          "set_arg_attr",
          [](const Function &self, unsigned index, std::string_view name, py::handle value) {
            self.setArgumentAttribute(index, name, toAttribute(contextOf(self), value));
          },
          py::arg("index"), py::arg("name"), py::arg("value"))
      .def(
          "add_block",
          [](const Function &self, const py::object &types) { return self.addBlock(typesOf(types)); },
          py::arg("types") = py::none());

  py::class_<Module>(module, "Module", "A module of tt.func; keeps its context alive.")
      .def("__str__", [](const Module &self) { return self.str(false, true); })
      .def("str", &Module::str, py::arg("generic") = false, py::arg("locations") = true)
      .def("bytecode", [](const Module &self) { return py::bytes(self.bytecode()); })
      .def("locate_in_text", &Module::locateInText, py::arg("file"),
           "Gives each operation its place in the module's text, which is to lie in a file; the text.")
      .def("clone", &Module::clone)
      .def("verify",
           [](const Module &self) {
             self.verify();
             return true;
           })
      .def_property_readonly("context", &Module::context)
      .def_property_readonly("body", &Module::body)
      .def_property_readonly("operation", &Module::operation)
      .def_property_readonly("functions", &Module::functions)
      .def("function", &Module::function, py::arg("name"))
      .def("has_function",
           [](const Module &self, std::string_view name) { return self.function(name).has_value(); })
      .def("walk",
           [](const Module &self, const py::function &callback) {
             for (const Operation &op : self.walk())
               callback(op);
           })
      .def(
          "run_passes",
          [](const Module &self, const std::variant<std::string, std::vector<std::string>> &pipeline) {
            std::string text;
            if (auto *list = std::get_if<std::vector<std::string>>(&pipeline)) {
              for (const std::string &pass : *list)
                text += (text.empty() ? "" : ",") + pass;
            } else {
              text = std::get<std::string>(pipeline);
            }
            WithoutGil release;
            self.runPasses(text);
          },
          py::arg("pipeline"));

  module.def(
      "parse",
      [](const std::variant<std::string, py::bytes> &source, const std::string &fileName,
         const std::optional<Context> &context) {
        std::string_view text = std::holds_alternative<std::string>(source)
                                    ? std::string_view(std::get<std::string>(source))
                                    : std::string_view(std::get<py::bytes>(source));
        return parse(text, fileName, context ? &*context : nullptr);
      },
      py::arg("text"), py::arg("filename") = "<ttir>", py::arg("context") = py::none(),
      "Reads a module from TTIR text or bytecode.");
}

template <typename Item> std::vector<const Item *> pointers(const py::handle &sequence, const char *what) {
  std::vector<const Item *> all;
  if (sequence.is_none())
    return all;
  if (!PyList_Check(sequence.ptr()) && !PyTuple_Check(sequence.ptr()))
    throw py::type_error(std::string(what) + " must be a list or a tuple");
  for (py::handle item : py::reinterpret_borrow<py::sequence>(sequence))
    all.push_back(&item.cast<const Item &>());
  return all;
}

Operation makeOp(Builder &builder, std::string_view name, const py::handle &operands,
                 const py::handle &results, const py::handle &attributes, unsigned regions,
                 const py::handle &successors) {
  return builder.op(name, pointers<Value>(operands, "operands"), pointers<Type>(results, "result_types"),
                    toAttributes(builder.context(), attributes), regions,
                    pointers<Block>(successors, "successors"));
}

Function makeFunction(Builder &self, const Module &module, std::string_view name,
                      const std::vector<Type> &argTypes, const std::vector<Type> &resultTypes,
                      std::string_view visibility, const py::object &argAttrs, const py::object &attrs,
                      const py::object &argNames) {
  std::vector<Builder::Argument> arguments;
  auto check = [&](const py::object &list, const char *what) {
    if (!list.is_none() && py::len(list) != argTypes.size())
      throw InvalidInput(std::string(what) + " must have one entry for each of the " +
                         std::to_string(argTypes.size()) + " arguments");
  };
  check(argAttrs, "arg_attrs");
  check(argNames, "arg_names");
  auto at = [](const py::object &list, size_t index) -> py::object {
    return list.is_none() ? py::none() : py::object(list[py::int_(index)]);
  };
  for (size_t index = 0; index < argTypes.size(); ++index) {
    py::object argName = at(argNames, index);
    arguments.push_back({argTypes[index], argName.is_none() ? "" : argName.cast<std::string>(),
                         toAttributes(self.context(), at(argAttrs, index))});
  }
  return self.createFunction(module, name, arguments, resultTypes, visibility,
                             toAttributes(self.context(), attrs));
}

void bindBuilder(py::module_ &module) {
  py::class_<InsertionPoint>(module, "InsertionPoint")
      .def_readonly("block", &InsertionPoint::block)
      .def_readonly("before", &InsertionPoint::before);

  py::class_<Builder>(module, "Builder", "Makes operations at an insertion point.")
      .def(py::init<const Context &>(), py::arg("context"))
      .def_property_readonly("context", &Builder::context)
      .def("create_module", &Builder::createModule)
      .def("create_function", makeFunction, py::arg("module"), py::arg("name"), py::arg("arg_types"),
           py::arg("result_types"), py::arg("visibility") = "public", py::arg("arg_attrs") = py::none(),
           py::arg("attrs") = py::none(), py::arg("arg_names") = py::none())
      .def(
          "create_block",
          [](Builder &self, const py::object &types) { return self.createBlock(typesOf(types)); },
          py::arg("types") = py::none())
      .def(
          "set_loc",
          [](Builder &self, std::string_view file, int line, int column,
             const std::optional<std::string> &name) {
            Location location = self.context().fileLocation(file, line, column);
            self.setLocation(name ? self.context().nameLocation(*name, location) : location);
          },
          py::arg("file"), py::arg("line"), py::arg("column") = 0, py::arg("name") = py::none())
      .def("set_loc_obj", &Builder::setLocation, py::arg("loc"))
      .def("get_loc", &Builder::location)
      .def("clear_loc", [](Builder &self) { self.setLocation(self.context().unknownLocation()); })
      .def_property("insertion_point", &Builder::insertionPoint, &Builder::setInsertionPoint)
      .def_property_readonly("block", [](const Builder &self) { return self.insertionPoint().block; })
      .def("set_insertion_point_to_start", &Builder::setInsertionPointToStart, py::arg("block"))
      .def("set_insertion_point_to_end", &Builder::setInsertionPointToEnd, py::arg("block"))
      .def("set_insertion_point_before", &Builder::setInsertionPointBefore, py::arg("op"))
      .def("set_insertion_point_after", &Builder::setInsertionPointAfter, py::arg("op"))
      .def("op", makeOp, py::arg("name"), py::arg("operands") = py::none(),
           py::arg("result_types") = py::none(), py::arg("attrs") = py::none(), py::arg("regions") = 0,
           py::arg("successors") = py::none())
      .def(
          "value",
          [](Builder &self, std::string_view name, const py::handle &operands, const Type &type,
             const py::handle &attributes) {
            const Type *types[] = {&type};
            std::vector<NamedAttribute> named;
            if (!attributes.is_none())
              named = toAttributes(self.context(), attributes);
            return self.op(name, pointers<Value>(operands, "operands"), types, named, 0, {}).result(0);
          },
          py::arg("name"), py::arg("operands"), py::arg("result_type"), py::arg("attrs") = py::none())
      .def(
          "constant",
          [](Builder &self, const Type &type, py::handle value) {
            Type element = type.isTensor() ? type.element() : type;
            if (element.isFloat())
              return self.constantFloat(type, value.cast<double>());
            if (!PyLong_Check(value.ptr()))
              throw py::type_error("a constant of type " + type.str() + " needs an int, not " +
                                   std::string(py::str(py::type::of(value))));
            return self.constantInt(type, PyLong_AsUnsignedLongLongMask(value.ptr()));
          },
          py::arg("type"), py::arg("value"));
}

} // namespace

void bindIr(py::module_ &module) {
  bindTypes(module);
  bindContext(module);
  py::class_<Value> value(module, "Value", "A result or block argument.");
  py::class_<Block> block(module, "Block");
  py::class_<Region> region(module, "Region");
  py::class_<Operation> operation(module, "Operation");
  bindValues(module, value, block, region);
  bindOperations(operation);
  bindModule(module, operation);
  bindBuilder(module);
}

} // namespace trisect::python
