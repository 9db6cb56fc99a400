import { area } from './area.ts';

/** Signing in, and choosing a password. */
export const signIn = area({
  signIn: { en: 'Sign in', ja: 'サインイン', zh: '登录' },
  signingIn: { en: 'Signing in …', ja: 'サインイン中 …', zh: '正在登录 …' },
  lead: {
    en: 'With your console account, not a database user.',
    ja: 'データベースユーザーではなく、コンソールのアカウントを使用します。',
    zh: '请使用控制台账号，而不是数据库用户。',
  },
  userName: { en: 'User name', ja: 'ユーザー名', zh: '用户名' },
  password: { en: 'Password', ja: 'パスワード', zh: '密码' },
  firstStart: {
    en: 'First start? The one-time password for admin is printed where the proxy was started.',
    ja: '初回起動の場合、adminのワンタイムパスワードはプロキシを起動した端末に表示されています。',
    zh: '首次启动？admin 的一次性密码打印在启动代理的终端上。',
  },
  choosePassword: { en: 'Choose a password', ja: 'パスワードの設定', zh: '设置密码' },
  changePassword: { en: 'Change password', ja: 'パスワードの変更', zh: '修改密码' },
  chooseLead: {
    en: 'You signed in with a one-time password. Choose one of your own to go on.',
    ja: 'ワンタイムパスワードでサインインしました。続けるには自分のパスワードを設定してください。',
    zh: '您使用一次性密码登录。请设置自己的密码以继续。',
  },
  changeLead: {
    en: 'All your other sessions end when it changes.',
    ja: '変更すると、他のセッションはすべて終了します。',
    zh: '修改后，您的其他会话将全部结束。',
  },
  oneTimePassword: { en: 'One-time password', ja: 'ワンタイムパスワード', zh: '一次性密码' },
  currentPassword: { en: 'Current password', ja: '現在のパスワード', zh: '当前密码' },
  newPassword: { en: 'New password', ja: '新しいパスワード', zh: '新密码' },
  newPasswordAgain: { en: 'New password again', ja: '新しいパスワード（確認）', zh: '再次输入新密码' },
  passwordHint: { en: 'At least 10 characters.', ja: '10文字以上。', zh: '至少 10 个字符。' },
  passwordLength: {
    en: 'Use 10 to 256 characters.',
    ja: '10～256文字で入力してください。',
    zh: '请使用 10 到 256 个字符。',
  },
  passwordSame: {
    en: 'Choose one that differs from the old one.',
    ja: '現在のものと異なるパスワードを入力してください。',
    zh: '新密码不能与旧密码相同。',
  },
  passwordMismatch: { en: 'The two do not match.', ja: 'パスワードが一致しません。', zh: '两次输入不一致。' },
  savePassword: { en: 'Save password', ja: 'パスワードを保存', zh: '保存密码' },
  saving: { en: 'Saving …', ja: '保存中 …', zh: '正在保存 …' },
});
