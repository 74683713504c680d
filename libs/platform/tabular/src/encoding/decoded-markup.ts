import { textOfBytes } from './decoded-text';
import { encodingOfBytes } from './encoding-of';
import { encodingOfLabel, labelOfType, labelWithin } from './labels';

/** The text of an answer of the web: in the encoding that its content type names, else its beginning, unless its bytes are another. */
export function decodedMarkup(bytes: Uint8Array, contentType = ''): string {
  const named = labelOfType(contentType);
  const label = named !== undefined && encodingOfLabel(named) !== undefined ? named : labelWithin(bytes);
  return textOfBytes(bytes, encodingOfBytes(bytes, label).encoding);
}

/** The same of an answer that is no markup, so that its content type alone can name an encoding. */
export function decodedAnswer(bytes: Uint8Array, contentType = ''): string {
  return textOfBytes(bytes, encodingOfBytes(bytes, labelOfType(contentType)).encoding);
}
