// Pictures of events: those of sources, through this service, and posters for the rest; share images of both.
// An event of the directory enters; the address of its picture leaves, and over HTTP the picture itself. Pictures of sources are fetched
// by `outbound`, decoded in a process of their own and kept in a bounded folder. docs/pictures.md tells the limits.
export { type EventPicture, type PicturedEvent, pictureOf } from './picture-of.ts';
export { createPictureRoutes } from './picture-routes.ts';
export { createPictures, PICTURE_LIMITS } from './pictures.ts';
export { posterName } from './posters/name.ts';
export { posterSvg } from './posters/poster.ts';
export { createPosterRoutes } from './posters/poster-routes.ts';
export { type SharedEvent, type ShareImage, shareImageOf } from './share-facts.ts';
