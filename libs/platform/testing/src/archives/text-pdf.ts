/** A line of text on a page: where its baseline begins, in points from the lower left corner, and its size. */
export interface PdfText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size?: number;
}

/** A PDF of pages of text in Helvetica, in memory. */
export function textPdf(pages: readonly (readonly PdfText[])[], title?: string): Buffer {
  const kids = pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((texts, at) => {
      const drawn = texts.map(({ text, x, y, size = 10 }) => `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm (${escaped(text)}) Tj ET`).join('\n');
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + at * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
      ];
    }),
    ...(title === undefined ? [] : [`<< /Title (${escaped(title)}) >>`]),
  ];
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const info = title === undefined ? '' : ` /Info ${objects.length} 0 R`;
  const size = objects.length + 1;
  return Buffer.from(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R${info} >>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  );
}

/** Bullets have another place in the encoding of Windows. */
const escaped = (text: string): string => text.replace(/[\\()]/g, '\\$&').replaceAll('•', '\x95');
