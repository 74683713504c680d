export type FileKind = 'image' | 'video' | 'audio' | 'document' | 'font' | 'archive' | 'other';

const ARCHIVES = new Set([
  'application/zip',
  'application/gzip',
  'application/zstd',
  'application/java-archive',
  'application/vnd.ms-cab-compressed',
  'application/x-7z-compressed',
  'application/x-ace-compressed',
  'application/x-apple-diskimage',
  'application/x-arj',
  'application/x-bzip2',
  'application/x-compress',
  'application/x-cpio',
  'application/x-deb',
  'application/x-lz4',
  'application/x-lzh-compressed',
  'application/x-lzip',
  'application/x-rar-compressed',
  'application/x-rpm',
  'application/x-tar',
  'application/x-unix-archive',
  'application/x-xz',
  'application/vnd.android.package-archive',
]);

const DOCUMENTS = new Set([
  'application/pdf',
  'application/rtf',
  'application/msword',
  'application/epub+zip',
  'application/postscript',
  'application/eps',
  'application/json',
  'application/xml',
  'application/yaml',
  'application/x-indesign',
  'application/x-mobipocket-ebook',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.ms-outlook',
  'application/vnd.visio',
  'message/rfc822',
  'application/vnd.lotus-1-2-3',
]);
const DOCUMENT_FAMILIES =
  /^(text\/|application\/vnd\.(openxmlformats-officedocument\.|oasis\.opendocument\.|ms-(word|excel|powerpoint)\.))/;

const EXECUTABLES = new Set([
  'application/x-msdownload',
  'application/x-elf',
  'application/x-mach-binary',
  'application/x-msi',
  'application/java-vm',
  'application/java-archive',
  'application/vnd.android.package-archive',
  'application/x-deb',
  'application/x-rpm',
  'application/x-apple-diskimage',
  'application/x.ms.shortcut',
  'application/x.apple.alias',
  'application/x-ms-regedit',
  'application/x-google-chrome-extension',
  'application/x-xpinstall',
  'application/x-bat',
]);

const EXECUTABLE_EXTENSIONS = new Set([
  'apk',
  'app',
  'appx',
  'bat',
  'cmd',
  'com',
  'cpl',
  'deb',
  'dll',
  'dmg',
  'exe',
  'hta',
  'jar',
  'jse',
  'lnk',
  'msi',
  'msix',
  'msp',
  'pif',
  'ps1',
  'psm1',
  'reg',
  'rpm',
  'scr',
  'sys',
  'vbe',
  'vbs',
  'wsf',
  'wsh',
]);

/** What a type is to people: the `kind` that lists are filtered by. */
export function kindOf(type: string): FileKind {
  if (type.startsWith('image/')) return 'image';
  if (type.startsWith('video/') || type === 'application/mxf' || type === 'application/vnd.rn-realmedia') return 'video';
  if (type.startsWith('audio/') || type === 'application/ogg') return 'audio';
  if (type.startsWith('font/') || type === 'application/vnd.ms-fontobject') return 'font';
  if (ARCHIVES.has(type)) return 'archive';
  return DOCUMENTS.has(type) || DOCUMENT_FAMILIES.test(type) ? 'document' : 'other';
}

export const PDF = 'application/pdf';

const LOOKED_INTO: ReadonlySet<FileKind> = new Set(['image', 'video', 'audio', 'font']);

/** Whether there is something to render or to find out in bytes of this type, beyond hash and type. */
export const isLookedInto = (type: string): boolean => type === PDF || LOOKED_INTO.has(kindOf(type));

/** The extension of a name, lower case and without its dot; empty when it has none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 1 ? '' : name.slice(dot + 1).toLowerCase();
}

/** Whether bytes of this type are a program that an operating system would run. */
export const isExecutable = (type: string): boolean => EXECUTABLES.has(type);

/** Whether a system would run a file for its name alone; asked before any byte has arrived. */
export const isExecutableName = (name: string): boolean => EXECUTABLE_EXTENSIONS.has(extensionOf(name));
