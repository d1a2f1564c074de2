import '../../../styles/cards.css';
import '../../../styles/widgets.css';
import '../../../styles/lists.css';
import '../../../styles/charts.css';
import '../../../styles/table.css';
import '../../../styles/editor.css';
import '../../../styles/mapping.css';
import '../../../styles/explorer.css';
