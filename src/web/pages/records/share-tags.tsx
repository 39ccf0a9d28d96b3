import type { ShareImage } from '../../../pictures/index.ts';
import { useLanguage } from '../../design/use-language.ts';
import { useRoot } from '../../design/use-root.ts';

interface ShareTagsProps {
  title: string;
  description: string;
  /** Absolute. */
  url: string;
  image: ShareImage | null;
  type: 'article' | 'website';
}

/** What messengers and networks show beside a link: Open Graph, and the two tags of its own that X needs. */
export function ShareTags({ title, description, url, image, type }: ShareTagsProps) {
  const { text } = useLanguage();
  const root = useRoot();
  return (
    <>
      <meta property="og:type" content={type} />
      <meta property="og:site_name" content={`Marquee ${root?.city.name ?? ''}`.trim()} />
      <meta property="og:locale" content={text('language.locale').replace('-', '_')} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      {image ? (
        <>
          <meta property="og:image" content={`${root?.publicUrl ?? ''}${image.src}`} />
          <meta property="og:image:width" content={String(image.width)} />
          <meta property="og:image:height" content={String(image.height)} />
          <meta property="og:image:alt" content={title} />
        </>
      ) : null}
      <meta name="twitter:card" content={image ? 'summary_large_image' : 'summary'} />
    </>
  );
}
