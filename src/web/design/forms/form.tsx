import { type ReactNode, useEffect, useRef } from 'react';
import { type FormProps, Form as RouterForm, useNavigation } from 'react-router';
import { Notice } from '../notice.tsx';

/** What an action says of a form that it did not take. Keys are names of fields; `form` is about the whole. */
export type FormErrors = Readonly<Record<string, string>>;

interface Props extends Omit<FormProps, 'method'> {
  errors?: FormErrors | undefined;
  /** As `newFormToken` made it in the loader: a form that is sent twice does its work once. */
  token?: string;
  children: ReactNode;
}

/** A form that posts, with and without scripts. What is wrong is announced, and the first wrong field gets the focus. */
export function PostForm({ errors, token, children, className = 'form', ...props }: Props) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!errors) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]');
    wrong?.focus();
  }, [errors]);
  return (
    <RouterForm method="post" className={className} ref={form} noValidate {...props}>
      {errors?.form ? <Notice kind="bad">{errors.form}</Notice> : null}
      {token ? <input type="hidden" name="token" value={token} /> : null}
      {children}
    </RouterForm>
  );
}

interface SubmitProps {
  children: ReactNode;
  /** Sent as `intent`, so that a page may have several forms. */
  intent?: string;
  kind?: 'primary' | 'danger' | 'plain' | '';
  small?: boolean;
  /** A single key that presses it, on pages that have such keys. */
  hotkey?: string;
}

/** Says while it works that it works; a second press does nothing. */
export function Submit({ children, intent, kind = 'primary', small = false, hotkey }: SubmitProps) {
  const navigation = useNavigation();
  const busy =
    navigation.state !== 'idle' && (intent ? navigation.formData?.get('intent') === intent : Boolean(navigation.formData));
  return (
    <button
      type="submit"
      className={['button', kind, small ? 'small' : ''].join(' ')}
      {...(intent && { name: 'intent', value: intent })}
      {...(hotkey && { 'data-key': hotkey, 'aria-keyshortcuts': hotkey })}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
      }}
    >
      {children}
      {busy ? <span aria-live="polite">…</span> : null}
    </button>
  );
}
