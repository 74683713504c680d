/** Text between tags. */
export const htmlText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Text of an attribute in double quotes. */
export const htmlAttribute = (text: string): string => htmlText(text).replaceAll('"', '&quot;');
