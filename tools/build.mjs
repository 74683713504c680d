// npm run build: dist/ from the sources, in a few seconds. `npm test -- types` checks their types.
import './setup/node-version.mjs';
import { build } from './setup/build.mjs';

try {
  await build();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
