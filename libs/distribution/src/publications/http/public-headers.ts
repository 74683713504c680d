const MEDIA_TYPE = /^[a-z0-9][\w.+-]*\/[a-z0-9][\w.+-]*$/i;
/** Named one by one: what is not known to be inert is never shown inside of a page's origin. */
const INERT = /^(?:image\/(?!svg)(?!.*xml)|audio\/|video\/|font\/|application\/(?:pdf|json)$|text\/(?:plain|csv|markdown|vtt)$)/i;
const TEXT = /^text\//i;

/** The type as it is announced; one that is no type is unknown bytes. */
export function shownType(type: string): string {
  if (!MEDIA_TYPE.test(type)) return 'application/octet-stream';
  return TEXT.test(type) ? `${type}; charset=utf-8` : type;
}

/** Shown in place, except what could run in a browser, what nobody knows, and what is asked for as a download. The name is a slug. */
export const dispositionOf = (type: string, pub_name: string, isDownload: boolean): string =>
  `${!isDownload && INERT.test(type.split(';', 1)[0] ?? '') ? 'inline' : 'attachment'}; filename="${pub_name}"`;

/** Nothing of it runs as a page; the viewer of PDF does not work in a sandbox. */
export const securityOf = (type: string): string =>
  type === 'application/pdf' ? "default-src 'none'; style-src 'unsafe-inline'" : "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Fonts and pictures may be read by pages of any origin. */
export const isForEverybodysPages = (type: string): boolean => /^(?:font|image)\//i.test(type);
