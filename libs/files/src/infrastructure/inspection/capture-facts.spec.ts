import { drawPicture, type CameraNotes } from '../../../../platform/testing/src/pictures';
import { captureFacts } from './capture-facts';
import type { CaptureFacts } from './inspection';

const NOW = new Date('2025-01-01T00:00:00Z');
const factsOf = async (notes: CameraNotes): Promise<CaptureFacts> => captureFacts(await drawPicture({ width: 64, height: 48, format: 'jpeg', ...notes }), NOW);

const xmp = (attributes: string): string =>
  `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" ${attributes}/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

describe('when, where and with what a picture was taken', () => {
  it('is read from EXIF', async () => {
    const facts = await factsOf({
      make: 'Lumen', model: 'Field 3', lens: '35mm f/2', taken: '2024:05:17 08:30:00', zone: '+02:00', gps: { lat: -33.8568, lng: 151.2153 },
    });
    expect(facts).toEqual({ taken: '2024-05-17T06:30:00.000Z', camera: 'Lumen Field 3', lens: '35mm f/2', gps: { lat: -33.8568, lng: 151.2153 } });
  });

  it('takes a camera clock without a zone as UTC, whatever zone the machine is in', async () => {
    expect(await factsOf({ taken: '2024:05:17 08:30:00' })).toEqual({ taken: '2024-05-17T08:30:00.000Z' });
  });

  it('does not repeat the maker when the model names it', async () => {
    expect((await factsOf({ make: 'Lumen Corporation', model: 'LUMEN X1' })).camera).toBe('LUMEN X1');
  });

  it('is read from XMP when there is no EXIF', async () => {
    expect(await factsOf({ xmp: xmp('xmp:CreateDate="2013-09-23T10:09:46+02:00"') })).toEqual({ taken: '2013-09-23T08:09:46.000Z' });
    expect(await factsOf({ xmp: xmp('photoshop:DateCreated="2011-04-05" exif:GPSLatitude="48,51.5N" exif:GPSLongitude="2,17.7W"') })).toEqual({
      taken: '2011-04-05T00:00:00.000Z',
      gps: { lat: 48.8583333, lng: -2.295 },
    });
  });

  it.each(['0000:00:00 00:00:00', '2024:02:31 10:00:00', '2024:05:17 25:00:00', '1700:01:01 00:00:00', '2031:01:01 00:00:00', '1970:01:01 00:00:00', 'yesterday'])(
    'leaves out the date %s',
    async (taken) => {
      expect(await factsOf({ taken, make: 'Lumen' })).toEqual({ camera: 'Lumen' });
    },
  );

  it('leaves out places that are not on Earth and the place of a receiver without a fix', async () => {
    expect(await factsOf({ gps: { lat: 0, lng: 0 } })).toEqual({});
    expect(await factsOf({ gps: { lat: 123, lng: 10 } })).toEqual({});
  });

  it('has nothing to say about files without such data', async () => {
    expect(await captureFacts(Buffer.from('no picture at all'), NOW)).toEqual({});
    expect(await captureFacts(undefined, NOW)).toEqual({});
  });
});
