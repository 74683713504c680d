import { invalidField } from '@atrium/platform/kernel';
import { assertSize, MOST_TEXT, textOf, type MessagePart } from '../../../threads/domain/message-parts';

/** A part as a person sends it. */
export interface PostedPart {
  readonly kind: 'text' | 'file';
  readonly text?: string;
  readonly file_id?: string;
}

/** Parts as a person sends them: texts and files; all else is made by runs. */
export function checkedParts(parts: readonly PostedPart[]): MessagePart[] {
  const checked = parts.map(({ kind, text, file_id }, at): MessagePart => {
    const other = kind === 'text' ? 'file_id' : 'text';
    if ((kind === 'text' ? file_id : text) !== undefined)
      throw invalidField(`msg_parts[${at}].${other}`, `is not for parts of the kind ${kind}`, 'not_applicable');
    if (kind === 'text' && text !== undefined) return { kind, text };
    if (kind === 'file' && file_id !== undefined) return { kind, file_id: file_id.toLowerCase() };
    throw invalidField(`msg_parts[${at}].${kind === 'text' ? 'text' : 'file_id'}`, 'is required', 'required');
  });
  assertSize(checked);
  if (textOf(checked).length > MOST_TEXT) throw invalidField('msg_parts', `must have at most ${MOST_TEXT} characters of text`, 'too_long');
  return checked;
}
