export { drawPicture, type CameraNotes, type Drawing, type PictureFormat } from './drawn-pictures';
export { silence } from './silence';
export { drawingWithEntity, drawingWithReference, pageNamedPicture, pixelBomb, truncatedJpeg } from './hostile-pictures';
