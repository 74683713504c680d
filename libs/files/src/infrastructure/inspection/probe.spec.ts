import { fileTypeFromBuffer } from 'file-type';
it('a', async () => { const m = await import('file-type'); const mm = await import('music-metadata'); const th = await import('thumbhash'); expect(await fileTypeFromBuffer(Buffer.from('%PDF-1.4 aaaaaaaaaaaa'))).toEqual(await m.fileTypeFromBuffer(Buffer.from('%PDF-1.4 aaaaaaaaaaaa'))); console.log(typeof mm.parseFile, typeof th.rgbaToThumbHash) });
