import type { ChildProcess } from 'node:child_process';

/** Where the environment of a test file finds them: tools/testing/jest/shared-environment.cjs. */
const CHILDREN = Symbol.for('atrium.test.children');
const children = ((globalThis as { [CHILDREN]?: Set<ChildProcess> })[CHILDREN] ??= new Set());

/**
 * A process that belongs to the running test file: should the file end without ending it, because a hook gave up halfway
 * for instance, it is killed.
 */
export function ofThisFile<C extends ChildProcess>(child: C): C {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}
