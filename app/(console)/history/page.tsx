export default function HistoryPage() {
  return <p>History</p>;
}
