//===- Pch.cpp - carries the precompiled header, nothing else -------------------------------------------===//
