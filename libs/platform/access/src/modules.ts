/** What a workspace may be licensed for besides the base product. */
export const MODULES = [
  'module-documents',
  'module-extensions',
  'module-ppt',
  'module-objects',
  'module-publication',
  'module-social-post',
  'module-design',
] as const;

export type Module = (typeof MODULES)[number];

export const isModule = (text: string): text is Module => (MODULES as readonly string[]).includes(text);
