export { drawPicture, type CameraNotes, type Drawing, type PictureFormat } from './drawn-pictures';
export { silence } from './silence';
export { drawingWithEntity, drawingWithReference, pageNamedPicture, pixelBomb, swellingDocument, truncatedJpeg } from './hostile-pictures';
export { jpeg2000Picture } from './jpeg2000-picture';
export { pageDocument } from './page-document';
export { texturedPicture } from './textured-picture';
export { rawPhotograph } from './raw-photograph';
export { withIptc, type IptcBlock } from './iptc-block';
export { xmpPacket, type XmpValue } from './xmp-packet';
