/** A PDF with so many pages; each shows a blue bar over its upper half, so that its orientation can be checked. */
export function pageDocument(pages = 1, { script = '' }: { readonly script?: string } = {}): Buffer {
  const bar = '0 0 1 rg 0 100 300 100 re f';
  const kids = Array.from({ length: pages }, (_, index) => `${index + 4} 0 R`).join(' ');
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${script === '' ? '' : `/OpenAction << /S /JavaScript /JS (${script}) >>`} >>`,
    `<< /Type /Pages /Count ${pages} /Kids [${kids}] >>`,
    `<< /Length ${bar.length} >>\nstream\n${bar}\nendstream`,
    ...Array.from({ length: pages }, () => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 3 0 R /Resources << >> >>'),
  ];
  const parts = ['%PDF-1.7\n'];
  const offsets: number[] = [];
  let at = parts[0]?.length ?? 0;
  for (const [index, object] of objects.entries()) {
    const text = `${index + 1} 0 obj\n${object}\nendobj\n`;
    offsets.push(at);
    parts.push(text);
    at += text.length;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`,
  );
  return Buffer.from(parts.join(''), 'latin1');
}
