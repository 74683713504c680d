import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. */
export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));
