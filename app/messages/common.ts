import { area } from './area.ts';

/** What every page may say: frames, buttons, failures, and the words of states. */
export const common = area({
  brand: { en: 'ODP console', ja: 'ODPコンソール', zh: 'ODP 控制台' },
  description: {
    en: 'Console of the OceanBase Database Proxy',
    ja: 'OceanBase Database Proxyのコンソール',
    zh: 'OceanBase Database Proxy 的控制台',
  },
  language: { en: 'Language', ja: '言語', zh: '语言' },
  loading: { en: 'Loading', ja: '読み込み中', zh: '加载中' },
  cancel: { en: 'Cancel', ja: 'キャンセル', zh: '取消' },
  close: { en: 'Close', ja: '閉じる', zh: '关闭' },
  tryAgain: { en: 'Try again', ja: '再試行', zh: '重试' },
  trying: { en: 'Trying …', ja: '再試行中 …', zh: '正在重试 …' },
  couldNotLoad: { en: 'Could not load {what}', ja: '{what}を読み込めませんでした', zh: '无法加载{what}' },
  reason: { en: 'Reason', ja: '理由', zh: '原因' },
  reasonHint: {
    en: 'Why, for those who read the history later',
    ja: '後で履歴を読む人のための理由',
    zh: '为什么这样做，供以后查看历史的人参考',
  },
  nothingChanged: { en: 'Nothing was changed.', ja: '何も変更されていません。', zh: '未做任何更改。' },
  demo: { en: 'Demo', ja: 'デモ', zh: '演示' },
  demoCluster: { en: 'Demo cluster', ja: 'デモクラスタ', zh: '演示集群' },
  demoAbout: {
    en: 'An embedded demonstration cluster: its servers run inside this product and hold no real data',
    ja: '組み込みのデモ用クラスタです。サーバーはこの製品の内部で動作し、実データは保持しません',
    zh: '内嵌的演示集群：其服务器运行在本产品内部，不保存真实数据',
  },
  pageFailed: { en: 'This page failed', ja: 'このページでエラーが発生しました', zh: '此页面出错' },
  causeInLog: {
    en: "The server's log has the cause under {digest}.",
    ja: '原因はサーバーのログに{digest}として記録されています。',
    zh: '原因记录在服务器日志中，编号为 {digest}。',
  },
  noSuchPage: { en: 'There is no such page', ja: 'ページが見つかりません', zh: '页面不存在' },
  toOverview: { en: 'To the overview', ja: '概要へ', zh: '返回概览' },
  proxySilent: { en: 'The proxy does not answer', ja: 'プロキシが応答しません', zh: '代理没有响应' },
  proxySilentAbout: {
    en: 'The console is up, but its proxy is not: it may be starting or stopping. This page tries again every few seconds.',
    ja: 'コンソールは動作していますが、プロキシは起動中または停止中の可能性があります。このページは数秒ごとに再試行します。',
    zh: '控制台正在运行，但其代理没有响应，可能正在启动或停止。此页面每隔几秒自动重试。',
  },
  tryNow: { en: 'Try now', ja: '今すぐ試す', zh: '立即重试' },
});
