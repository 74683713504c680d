const EMAIL = /^[^\s@<>,;]+@[^\s@<>,;.]+(?:\.[^\s@<>,;.]+)+$/;

/** Whether a text is one e-mail address, as somebody from outside writes theirs. */
export const isEmail = (text: string): boolean => EMAIL.test(text);
