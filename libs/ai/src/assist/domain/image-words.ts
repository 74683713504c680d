import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';

/** What is known of an image without a look at it. */
export interface ImageFacts {
  readonly file_name: string;
  readonly file_metadata: JsonObject;
  readonly words: { readonly tags: string };
}

export const MOST_ALT = 250;
const DESCRIBING = ['alt', 'alt_text', 'description', 'caption', 'title', 'headline'];
/** Names that cameras, programs and social networks give: a word of theirs and figures, or figures alone. Each part is read once. */
const NO_NAME =
  /^(?:img|dsc[nf]?|pict?|image|photo|scan|screenshot|untitled|unnamed|download|whatsapp image|bild|foto)?[\d\s_()-]*$|^\d[\d\s]{7,}[nbo]$|^(?=.*\d)[0-9a-f\s]{16,}$/i;

/** A description made of metadata, tags and the name, which people wrote; null where none of them says anything. */
export function describedByFacts({ file_name, file_metadata, words }: ImageFacts): string | null {
  const described = describing(file_metadata);
  if (described !== null) return cut(described);
  const name = file_name
    .replace(/\.[a-z0-9]{1,8}$/i, '')
    .replace(/[_-]+/g, ' ')
    .trim();
  const tags = words.tags.trim().replace(/\s+/g, ' ');
  const parts = [NO_NAME.test(name) ? '' : name, tags].filter((part) => part !== '');
  return parts.length === 0 ? null : cut(parts.join(': '));
}

function describing(metadata: JsonObject, depth = 0): string | null {
  for (const key of DESCRIBING) {
    const found = Object.entries(metadata).find(([name]) => name.toLowerCase() === key);
    const text = found && said(found[1]);
    if (text) return text;
  }
  if (depth > 1) return null;
  for (const value of Object.values(metadata)) {
    const inside = isObject(value) ? describing(value, depth + 1) : null;
    if (inside) return inside;
  }
  return null;
}

const said = (value: JsonValue | undefined): string | null => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null);

function cut(text: string): string {
  const plain = text.replace(/\s+/g, ' ');
  return plain.length <= MOST_ALT
    ? plain
    : `${plain.slice(0, plain.lastIndexOf(' ', MOST_ALT - 1) > 0 ? plain.lastIndexOf(' ', MOST_ALT - 1) : MOST_ALT - 1)}…`;
}
