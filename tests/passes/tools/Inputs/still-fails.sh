#!/bin/sh
# Is this module still interesting? Exits with 1 if the pass still refuses it for the reason in question.
trisect-opt "$1" -triton-rewrite-tensor-descriptor-to-pointer 2>&1 | grep -q 'no atomic does inc' && exit 1
exit 0
