/** What is asked for and ordered about console users and their log-ins. */
import { queryOptions } from '@tanstack/react-query';
import {
  type ChangedUser,
  type CreateUser,
  changedUserSchema,
  type EndLogIns,
  endedLogInsSchema,
  logInsResponseSchema,
  type UserChange,
  type UserRole,
  userSchema,
  usersResponseSchema,
} from '../../proxy/control/contract.ts';
import { getJson, postJson } from './api.ts';

/** The one who is signed in, with the role of this moment. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => getJson('/api/me', userSchema, signal),
});

/** Everybody who may use the console, with roles and rights; asked again when the history tells of one of them. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => getJson('/api/users', usersResponseSchema, signal),
});

/** Key of every list of log-ins. */
export const logInsKey = ['log-ins'] as const;

/** @param userId null: one's own */
export function logInsQuery(userId: number | null) {
  const path = userId === null ? '/api/log-ins' : `/api/users/${userId}/log-ins`;
  return queryOptions({
    queryKey: [...logInsKey, userId],
    queryFn: ({ signal }) => getJson(path, logInsResponseSchema, signal),
  });
}

/** @throws ApiError, 409 when there is one of that name */
export async function createUser(order: CreateUser): Promise<ChangedUser> {
  return changedUserSchema.parse(await postJson('/api/users', order));
}

/** What an administrator does to a user. */
export type UserOrder = 'role' | 'disable' | 'enable' | 'reset' | 'unlock';

/** @throws ApiError, 409 when somebody else was faster or it may not be */
export async function changeUser(id: number, what: UserOrder, order: UserChange | UserRole): Promise<ChangedUser> {
  return changedUserSchema.parse(await postJson(`/api/users/${id}/${what}`, order));
}

/** Ends log-ins of somebody, or one's own. @returns how many */
export async function endLogIns(userId: number | null, order: EndLogIns): Promise<number> {
  const answer =
    userId === null
      ? await postJson('/api/log-ins/end', { logIn: order.logIn })
      : await postJson(`/api/users/${userId}/log-ins/end`, order);
  return endedLogInsSchema.parse(answer).ended;
}
