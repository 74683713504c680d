export { decodedText, textOfBytes } from './decoded-text';
export { decodedMarkup } from './decoded-markup';
export { encodingOf, encodingOfBytes, type TextEncoding } from './encoding-of';
export { encodingOfLabel, knownEncoding, labelWithin } from './labels';
export { isTextBytes, wideTextOf } from './text-bytes';
