import pytest
from outline_contract import assert_outline

from citewell.ingest.chunkers.symbols import symbol_chunker

pytest.importorskip("tree_sitter")

JAVASCRIPT = """\
import a from 'b';
export default class Foo extends Bar {
  x = 1;
  constructor() {}
  static get y() { return 1 }
  h = () => { this.x }
}
export const f = (a) => { return a };
const n = 1;
function* gen() {}
exports.k = function() {};
"""
TYPESCRIPT = """\
export interface Options<T> { x: number; m(): void }
type Name = string;
enum Color { Red }
namespace N.M {
  export function f() {}
}
export abstract class Shape {
  abstract area(): void;
  @logged()
  draw() {}
}
export const handler = async (): Promise<void> => {};
"""
GO = """\
package main

import "fmt"

func (s *Server[K, V]) Serve(x int) error { return nil }
func (Client) Do() {}
func main() {}

type (
	A struct{ X int }
	B interface{ M() }
)
type C int

const X = 1
var y = 2
"""
RUST = """\
use a::b;
#[derive(Debug)]
pub struct S<T> { x: T }
impl<T> Trait for S<T> {
    #[inline]
    fn m(&self) {}
    const X: i32 = 1;
    pub async fn o(&self) {}
}
mod tests {
    #[test]
    fn t() {}
}
trait Read { fn a(&self); }
macro_rules! mm { () => {} }
"""
JAVA = """\
package a.b;
@X
public class A<T> extends B {
  int f;
  A() {}
  @Override public void m() {}
  static class In { void k() {} }
}
record R(int a) {}
interface I { default void d() {} }
enum K { X; void z() {} }
"""
C = """\
#include <a.h>
#ifdef X
static int *f(int a) { return 0; }
#else
int g(void) { return 1; }
#endif
struct S { int x; };
typedef struct { int z; } Anonymous;
enum E { A };
int prototype(int);
struct S make(struct S *s) { return *s; }
"""
CPP = """\
#include <x>
namespace a::b {
template<class T>
class C : public D {
 public:
  C();
  ~C() {}
  int operator+(int) { return 1; }
};
namespace { int anonymous() { return 1; } }
}
int &A::B::p(int x) { return 0; }
extern "C" {
int q() { return 1; }
}
"""
CSHARP = """\
using System;
namespace A.B {
 [Attr]
 public class C<T> : D {
   int f;
   public C() {}
   public int P { get; set; }
   void M() {}
 }
 interface I { void Z(); }
 enum E { X }
}
"""
RUBY = """\
require 'x'
module A::B
  class C < D
    attr_reader :x
    def m(a) = 1
    def self.n
    end
    class << self
      def o; end
    end
  end
end
def top; end
"""
PHP = """\
<?php
namespace A\\B;
function f() {}
abstract class C extends D {
  use T;
  public $y;
  #[Attr]
  public function m() {}
}
interface I { function q(); }
trait T { function t() {} }
"""
BASH = """\
#!/bin/bash
function first() { echo 1; }
second() {
  echo 2
}
x=1
"""
CASES = {
    "javascript": (JAVASCRIPT, [None, "Foo", "Foo.constructor", "Foo.y", "Foo.h", "f", None, "gen", "exports.k"]),
    "typescript": (TYPESCRIPT, ["Options", "Name", "Color", None, "N.M.f", "Shape", "Shape.area", "Shape.draw", "handler"]),
    "go": (GO, [None, "Server.Serve", "Client.Do", "main", "A", "B", "C", None]),
    "rust": (RUST, [None, "S", "S", "S::m", "S", "S::o", None, "tests::t", "Read", "mm"]),
    "java": (JAVA, [None, "A", "A.A", "A.m", "A.In", "R", "I", "K"]),
    "c": (C, [None, "f", "g", "S", "Anonymous", "E", None, "make"]),
    "cpp": (CPP, [None, "a::b::C", "a::b::C::~C", "a::b::C::operator+", None, "a::b::anonymous", "A::B::p", "q"]),
    "csharp": (CSHARP, [None, "A.B.C", "A.B.C.C", "A.B.C.P", "A.B.C.M", "A.B.I", "A.B.E"]),
    "ruby": (RUBY, [None, "A::B::C", "A::B::C::m", "A::B::C::n", "A::B::C::o", "top"]),
    "php": (PHP, [None, "f", "C", "C::m", "I", "T"]),
    "bash": (BASH, ["first", "second", None]),
}


@pytest.mark.parametrize("kind", CASES)
def test_definitions_are_named_and_big_classes_opened(kind):
    text, symbols = CASES[kind]
    outline = symbol_chunker(kind)(text, "file", 65)
    assert_outline(text, outline, 65)
    assert [piece.symbol for piece in outline.pieces] == symbols


@pytest.mark.parametrize("kind", CASES)
def test_a_class_that_fits_is_one_piece(kind):
    text, symbols = CASES[kind]
    outline = symbol_chunker(kind)(text, "file", 1500)
    found = [piece.symbol for piece in outline.pieces if piece.symbol]
    assert set(found) <= set(filter(None, symbols))
    assert not any(name.startswith((f"{other}.", f"{other}::")) for name in found for other in found)


def test_typescript_with_markup_is_read_as_such():
    text = "export const Page: FC = () => <div/>;\nexport function App() { return <Page/>; }\n"
    assert [piece.symbol for piece in symbol_chunker("tsx")(text, "a.tsx", 1500).pieces] == ["Page", "App"]
