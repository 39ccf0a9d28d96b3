// Object storage: files in a bucket that speaks S3.
// The URL of a place and keys enter; objects are put, listed, read in parts and removed.
// It knows nothing of what the objects mean: exports and backups decide that.
export { type Bucket, openBucket, readObject, StorageError } from './bucket.ts';
export { describePlace, namePlace, type ObjectPlace, parseStorageUrl, type StorageDefaults } from './place.ts';
export { beginUpload, dropUploads, PART_BYTES, type Upload } from './upload.ts';
