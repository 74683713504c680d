import { drawPicture, type CameraNotes } from '../../../../platform/testing/src/pictures';
import { captureFacts } from './capture-facts';
import { filmFacts } from './film-facts';
import type { CaptureFacts } from './inspection';
import { pictureNotes } from './picture-notes';

const NOW = new Date('2025-01-01T00:00:00Z');
const factsOf = async (notes: CameraNotes): Promise<CaptureFacts> =>
  captureFacts(await pictureNotes(await drawPicture({ width: 64, height: 48, format: 'jpeg', ...notes }), 'image/jpeg'), NOW);

const xmp = (attributes: string): string =>
  `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" ${attributes}/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

describe('when, where and with what a picture was taken', () => {
  it('is read from EXIF', async () => {
    const facts = await factsOf({
      make: 'Lumen',
      model: 'Field 3',
      lens: '35mm f/2',
      taken: '2024:05:17 08:30:00',
      zone: '+02:00',
      gps: { lat: -33.8568, lng: 151.2153 },
    });
    expect(facts).toEqual({
      taken: '2024-05-17T06:30:00.000Z',
      taken_local: '2024-05-17T08:30:00.000',
      taken_zone: '+02:00',
      camera: 'Lumen Field 3',
      lens: '35mm f/2',
      gps: { lat: -33.8568, lng: 151.2153 },
    });
  });

  it('takes a camera clock without a zone as UTC, whatever zone the machine is in', async () => {
    expect(await factsOf({ taken: '2024:05:17 08:30:00' })).toEqual({
      taken: '2024-05-17T08:30:00.000Z',
      taken_local: '2024-05-17T08:30:00.000',
    });
  });

  it('does not repeat the maker when the model names it', async () => {
    expect((await factsOf({ make: 'Lumen Corporation', model: 'LUMEN X1' })).camera).toBe('LUMEN X1');
  });

  it('is read from XMP when there is no EXIF', async () => {
    expect(await factsOf({ xmp: xmp('xmp:CreateDate="2013-09-23T10:09:46+02:00"') })).toEqual({
      taken: '2013-09-23T08:09:46.000Z',
      taken_local: '2013-09-23T10:09:46.000',
      taken_zone: '+02:00',
    });
    expect(
      await factsOf({ xmp: xmp('photoshop:DateCreated="2011-04-05" exif:GPSLatitude="48,51.5N" exif:GPSLongitude="2,17.7W"') }),
    ).toEqual({
      taken: '2011-04-05T00:00:00.000Z',
      taken_local: '2011-04-05T00:00:00.000',
      gps: { lat: 48.8583333, lng: -2.295 },
    });
  });

  it.each([
    '0000:00:00 00:00:00',
    '2024:02:31 10:00:00',
    '2024:05:17 25:00:00',
    '1700:01:01 00:00:00',
    '2031:01:01 00:00:00',
    '1970:01:01 00:00:00',
    'yesterday',
  ])('leaves out the date %s', async (taken) => {
    expect(await factsOf({ taken, make: 'Lumen' })).toEqual({ camera: 'Lumen' });
  });

  it('leaves out places that are not on Earth and the place of a receiver without a fix', async () => {
    expect(await factsOf({ gps: { lat: 0, lng: 0 } })).toEqual({});
    expect(await factsOf({ gps: { lat: 123, lng: 10 } })).toEqual({});
  });

  it('has nothing to say about files without such data', async () => {
    expect(captureFacts(await pictureNotes(Buffer.from('no picture at all'), 'image/jpeg'), NOW)).toEqual({});
  });

  it('knows sub-seconds and how it was taken', async () => {
    const facts = await factsOf({
      taken: '2024:05:17 23:59:59',
      subSeconds: '045',
      zone: '-05:00',
      iso: 200,
      exposure: '1/60',
      aperture: '28/10',
      focalLength: '35/1',
      gps: { lat: 31.5, lng: 35.47 },
      altitude: 428.5,
    });
    expect(facts).toEqual({
      taken: '2024-05-18T04:59:59.045Z',
      taken_local: '2024-05-17T23:59:59.045',
      taken_zone: '-05:00',
      iso: 200,
      exposure: 0.0166667,
      aperture: 2.8,
      focal_length: 35,
      gps: { lat: 31.5, lng: 35.47 },
      altitude: 428.5,
    });
  });

  it('is below sea level where that is noted', async () => {
    expect(await factsOf({ xmp: xmp('exif:GPSAltitude="42850/100" exif:GPSAltitudeRef="1"') })).toEqual({ altitude: -428.5 });
  });

  it('believes the zone of another note that has the same time', async () => {
    const notes = { taken: '2024:05:17 08:30:00', subSeconds: '5' };
    const same = await factsOf({ ...notes, xmp: xmp('photoshop:DateCreated="2024-05-17T08:30:00+09:00"') });
    expect(same).toEqual({ taken: '2024-05-16T23:30:00.500Z', taken_local: '2024-05-17T08:30:00.500', taken_zone: '+09:00' });
    const other = await factsOf({ ...notes, xmp: xmp('photoshop:DateCreated="2024-05-17T08:31:00+09:00"') });
    expect(other).toEqual({ taken: '2024-05-17T08:30:00.500Z', taken_local: '2024-05-17T08:30:00.500' });
  });

  it('takes no zone for one that no clock is in', async () => {
    expect((await factsOf({ taken: '2024:05:17 08:30:00', zone: '+24:00' })).taken_zone).toBeUndefined();
  });
});

describe('when, where and with what a film was taken', () => {
  it('is what the phone noted with its zone', () => {
    const tags = {
      creation_time: '2021-04-11T20:47:53.000000Z',
      'com.apple.quicktime.creationdate': '2021-04-11T15:47:53-0500',
      'com.apple.quicktime.make': 'Lumen',
      'com.apple.quicktime.model': 'Phone 11',
      'com.apple.quicktime.location.ISO6709': '+39.0513-094.2888+260.561/',
    };
    expect(filmFacts(tags, NOW)).toEqual({
      taken: '2021-04-11T20:47:53.000Z',
      taken_local: '2021-04-11T15:47:53.000',
      taken_zone: '-05:00',
      camera: 'Lumen Phone 11',
      gps: { lat: 39.0513, lng: -94.2888 },
      altitude: 260.561,
    });
  });

  it('is the clock of the container where nothing better is noted, and no clock that was never set', () => {
    expect(filmFacts({ creation_time: '2021-04-11T20:47:53.000000Z' }, NOW)).toEqual({
      taken: '2021-04-11T20:47:53.000Z',
      taken_local: '2021-04-11T20:47:53.000',
    });
    expect(filmFacts({ creation_time: '1904-01-01T00:00:00.000000Z', location: 'nowhere' }, NOW)).toEqual({
      taken: '1904-01-01T00:00:00.000Z',
      taken_local: '1904-01-01T00:00:00.000',
    });
  });
});
