const COMPRESSED: ReadonlySet<string> = new Set([
  'application/gzip',
  'application/java-archive',
  'application/pdf',
  'application/epub+zip',
  'application/vnd.rar',
  'application/x-7z-compressed',
  'application/x-bzip2',
  'application/x-rar-compressed',
  'application/x-xz',
  'application/zip',
  'application/zstd',
  'font/woff',
  'font/woff2',
]);
const COMPRESSED_FAMILIES =
  /^(?:image\/(?!svg|bmp|tiff|x-|vnd\.adobe)|video\/|audio\/(?!wav|x-wav|vnd\.wave|aiff|x-aiff|midi)|application\/vnd\.(?:openxmlformats|oasis\.opendocument))/;

/** Whether bytes of this type are compressed already, so that doing it again only costs time. */
export const isCompressed = (type: string): boolean => COMPRESSED.has(type) || COMPRESSED_FAMILIES.test(type);
