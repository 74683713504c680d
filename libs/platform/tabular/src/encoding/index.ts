export { decodedText, textOfBytes } from './decoded-text';
export { decodedAnswer, decodedMarkup } from './decoded-markup';
export { encodingOf, sniffEncoding } from './encoding-of';
export { knownEncoding, labelWithin } from './labels';
export { isTextBytes, wideTextOf } from './text-bytes';
