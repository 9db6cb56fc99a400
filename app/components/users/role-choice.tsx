import { useText } from '@/components/texts.tsx';
import { type Role, roleSchema, type UsersResponse } from '../../../proxy/control/contract.ts';

interface RoleChoiceProps {
  roles: UsersResponse['roles'];
  value: Role;
  onChange: (role: Role) => void;
}

/** One role of all, each with what it is for. */
export function RoleChoice({ roles, value, onChange }: RoleChoiceProps) {
  const t = useText('users');
  return (
    <fieldset className="grid gap-2 text-sm">
      <legend className="mb-1.5 font-medium">{t('role')}</legend>
      {roles.map(({ role, about }) => (
        <label key={role} className="flex items-start gap-2">
          <input
            type="radio"
            name="role"
            value={role}
            checked={value === role}
            onChange={(event) => onChange(roleSchema.parse(event.target.value))}
            className="mt-1 accent-(--accent-fill)"
          />
          <span>
            {role}
            <span lang="en" className="block text-xs text-muted">
              {about}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
