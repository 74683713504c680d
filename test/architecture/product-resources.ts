import { declaredResources, resourceOf } from '@atrium/platform/database';

/** Tables of test files and specs; what they declare stays known to the files that run after them. */
export const TABLES_OF_TESTS: ReadonlySet<string> = new Set(['barge', 'buoy', 'jigger', 'mast', 'thing']);

/** What the service itself declares. */
export const productResources = (): ReturnType<typeof declaredResources> =>
  declaredResources().filter((type) => !TABLES_OF_TESTS.has(resourceOf(type).table));
