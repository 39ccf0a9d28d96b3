/** What has changed in the directory since somebody last looked. */
export interface DirectoryChanges {
  /** How often something of venues has changed. */
  venues: number;
  /** The venues (slots) where something has changed that may move trends. */
  trendsAt: Set<number>;
}
