/** Whether a text is a CSS selector that pages can be asked with. */
export async function perform(text: string): Promise<boolean> {
  const { load } = await import('cheerio');
  try {
    load('<p></p>')(text);
    return true;
  } catch {
    return false;
  }
}
