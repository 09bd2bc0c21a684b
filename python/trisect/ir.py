"""TTIR from Python: `trisect.ir.parse(text)`, contexts, types, modules and the builder."""

from trisect._C import ir as _ir

Attribute = _ir.Attribute
Block = _ir.Block
Builder = _ir.Builder
Context = _ir.Context
Function = _ir.Function
InsertionPoint = _ir.InsertionPoint
Location = _ir.Location
Module = _ir.Module
Operation = _ir.Operation
Region = _ir.Region
Type = _ir.Type
Value = _ir.Value
parse = _ir.parse
