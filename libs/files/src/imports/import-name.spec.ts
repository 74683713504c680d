import { importedName } from './import-name';

const named = (url: string, disposition?: string, type: string | null = null): string => importedName({ url, type, disposition });

describe('the name of bytes that come from an address', () => {
  it('is the one that the answer gives, in the extended form where there are two', () => {
    expect(named('https://a.example/x', 'attachment; filename="harbour.jpg"')).toBe('harbour.jpg');
    expect(named('https://a.example/x', "attachment; filename=plain.jpg; filename*=UTF-8''H%C3%A4fen.jpg")).toBe('Häfen.jpg');
    expect(named('https://a.example/x', 'inline; filename=bare.png; size=3')).toBe('bare.png');
  });

  it('is else the end of the address, with the extension that its type has', () => {
    expect(named('https://a.example/photos/harbour%20at%20dawn.jpg?width=3')).toBe('harbour at dawn.jpg');
    expect(named('https://a.example/photos/4711', undefined, 'image/webp')).toBe('4711.webp');
    expect(named('https://a.example/', undefined, 'application/pdf')).toBe('download.pdf');
    expect(named('https://a.example/')).toBe('download');
  });

  it('never leads out of its folder, turns direction or is too long', () => {
    expect(named('https://a.example/x', 'attachment; filename="../../etc/passwd"')).toBe('_.._etc_passwd');
    expect(named('https://a.example/x', 'attachment; filename="a\u202egpj.exe"')).toBe('a_gpj.exe');
    expect(named(`https://a.example/${'n'.repeat(400)}.jpg`)).toBe(`${'n'.repeat(200)}.jpg`);
    expect(named('https://a.example/con.txt')).toBe('_con.txt');
    expect(named('https://a.example/%E0%A4%A')).toBe('%E0%A4%A');
  });
});
