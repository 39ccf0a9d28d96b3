import { Field } from '../../design/field.tsx';
import { PostForm, Submit } from '../../design/form.tsx';
import type { Said } from '../../server/account-settings.ts';

export function NameForm({ name, said }: { name: string; said: Said | undefined }) {
  const refused = said?.ok === false && said.about === 'name' ? said : undefined;
  return (
    <section className="card stack setting" aria-labelledby="name">
      <h2 id="name">Name</h2>
      <PostForm errors={refused?.errors}>
        <Field
          label="Display name"
          hint="Only you and the operator of this service see it."
          name="name"
          autoComplete="name"
          defaultValue={refused?.typed.name ?? name}
          error={refused?.errors.name}
        />
        <Submit intent="name" kind="">
          Save name
        </Submit>
      </PostForm>
    </section>
  );
}

export function PasswordForm({ email, said }: { email: string; said: Said | undefined }) {
  const errors = said?.ok === false && said.about === 'password' ? said.errors : undefined;
  return (
    <section className="card stack setting" aria-labelledby="password">
      <h2 id="password">Password</h2>
      <PostForm errors={errors}>
        {/* For password managers: whose password it is. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <Field
          label="Current password"
          name="current"
          type="password"
          autoComplete="current-password"
          required
          error={errors?.current}
        />
        <Field
          label="New password"
          hint="10 characters or more. All other sessions end."
          name="password"
          type="password"
          autoComplete="new-password"
          required
          error={errors?.password}
        />
        <Submit intent="password" kind="">
          Change password
        </Submit>
      </PostForm>
    </section>
  );
}
