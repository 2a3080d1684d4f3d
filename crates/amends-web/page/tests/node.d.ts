// As much of node's test runner as the tests use.
declare module "node:test" {
  export default function test(name: string, run: () => void): void;
}
declare module "node:assert/strict" {
  const assert: {
    equal(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    ok(value: unknown, message?: string): void;
    match(text: string, pattern: RegExp): void;
  };
  export default assert;
}
